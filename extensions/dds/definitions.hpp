#pragma once

namespace gxr::dds {

/// A type as text: its fields, separated by semicolons, as "TYPE NAME", "TYPE[N] NAME" or
/// "TYPE[] NAME", in which TYPE is a number, a string, or the name of a type further up.
struct Definition {
  const char* name;
  const char* type_hash;  ///< of ROS 2 (REP 2016); empty for gxr's own
  const char* fields;
};

/// Those of ROS 2 have the fields of the public definitions. docs/dds.md has gxr's own as IDL.
inline constexpr Definition kDefinitions[] = {
    {"gxr/v1/Plane", "",
     "string color_space; uint8 bytes_per_pixel; uint32 stride; uint32 offset; uint32 width;"
     "uint32 height"},
    {"gxr/v1/Tensor", "",
     "string name; int32 element_type; uint64 bytes_per_element; int32[] shape; uint64 offset"},
    {"gxr/v1/Picture", "",
     "string name; int64 format; uint32 width; uint32 height; gxr/v1/Plane[] planes; uint64 offset;"
     "uint64 size"},
    {"gxr/v1/Timestamp", "", "string name; int64 published; int64 acquired"},
    {"gxr/v1/Number", "", "string name; string type; uint8[8] value"},
    {"gxr/v1/Text", "", "string name; string value"},
    {"gxr/v1/Message", "",
     "int64 source_time; uint64 sequence; gxr/v1/Tensor[] tensors; gxr/v1/Picture[] pictures;"
     "gxr/v1/Timestamp[] timestamps; gxr/v1/Number[] numbers; gxr/v1/Text[] texts; uint8[] padding;"
     "uint8[] data"},
    {"builtin_interfaces/msg/Time",
     "RIHS01_b106235e25a4c5ed35098aa0a61a3ee9c9b18d197f398b0e4206cea9acf9c197",
     "int32 sec; uint32 nanosec"},
    {"builtin_interfaces/msg/Duration",
     "RIHS01_e8d009f659816f758b75334ee1a9ca5b5c0b859843261f14c7f937349599d93b",
     "int32 sec; uint32 nanosec"},
    {"std_msgs/msg/Empty",
     "RIHS01_20b625256f32d5dbc0d04fee44f43c41e51c70d3502f84b4a08e7a9c26a96312",
     "uint8 structure_needs_at_least_one_member"},
    {"std_msgs/msg/Bool", "RIHS01_feb91e995ff9ebd09c0cb3d2aed18b11077585839fb5db80193b62d74528f6c9",
     "bool data"},
    {"std_msgs/msg/Byte", "RIHS01_41e1a3345f73fe93ede006da826a6ee274af23dd4653976ff249b0f44e3e798f",
     "uint8 data"},
    {"std_msgs/msg/Char", "RIHS01_8914cecc0520f475fc3f8767a9f9e529341a75440e1b184a7e152195b2ffce5f",
     "uint8 data"},
    {"std_msgs/msg/Int8", "RIHS01_26525065a403d972cb672f0777e333f0c799ad444ae5fcd79e43d1e73bd0f440",
     "int8 data"},
    {"std_msgs/msg/UInt8",
     "RIHS01_6138bd83d8c3569cb80a667db03cfc1629f529fee79d944c39c34e352e72f010", "uint8 data"},
    {"std_msgs/msg/Int16",
     "RIHS01_1dcc3464e47c288a55f943a389d337cdb06804de3f5cd7a266b0de718eee17e5", "int16 data"},
    {"std_msgs/msg/UInt16",
     "RIHS01_08a406e4b022bc22e907f985d6a9e9dd1d4fbecae573549cf49350113e7757b1", "uint16 data"},
    {"std_msgs/msg/Int32",
     "RIHS01_b6578ded3c58c626cfe8d1a6fb6e04f706f97e9f03d2727c9ff4e74b1cef0deb", "int32 data"},
    {"std_msgs/msg/UInt32",
     "RIHS01_a5c874829b752bc5fa190024b0ad76f578cc278271e855c7d02a818b3516fb4a", "uint32 data"},
    {"std_msgs/msg/Int64",
     "RIHS01_8cd1048c2f186b6bd9a92472dc1ce51723c0833a221e2b7aecfff111774f4b49", "int64 data"},
    {"std_msgs/msg/UInt64",
     "RIHS01_fbdc52018fc13755dce18024d1a671c856aa8b4aaf63adfb095b608f98e8c943", "uint64 data"},
    {"std_msgs/msg/Float32",
     "RIHS01_7170d3d8f841f7be3172ce5f4f59f3a4d7f63b0447e8b33327601ad64d83d6e2", "float32 data"},
    {"std_msgs/msg/Float64",
     "RIHS01_705ba9c3d1a09df43737eb67095534de36fd426c0587779bda2bc51fe790182a", "float64 data"},
    {"std_msgs/msg/String",
     "RIHS01_df668c740482bbd48fb39d76a70dfd4bd59db1288021743503259e948f6b1a18", "string data"},
    {"std_msgs/msg/ColorRGBA",
     "RIHS01_77a7a5b9ae477306097665106e0413ba74440245b1f3d0c6d6405fe5c7813fe8",
     "float32 r; float32 g; float32 b; float32 a"},
    {"std_msgs/msg/Header",
     "RIHS01_f49fb3ae2cf070f793645ff749683ac6b06203e41c891e17701b1cb597ce6a01",
     "builtin_interfaces/msg/Time stamp; string frame_id"},
    {"geometry_msgs/msg/Vector3",
     "RIHS01_cc12fe83e4c02719f1ce8070bfd14aecd40f75a96696a67a2a1f37f7dbb0765d",
     "float64 x; float64 y; float64 z"},
    {"geometry_msgs/msg/Point",
     "RIHS01_6963084842a9b04494d6b2941d11444708d892da2f4b09843b9c43f42a7f6881",
     "float64 x; float64 y; float64 z"},
    {"geometry_msgs/msg/Quaternion",
     "RIHS01_8a765f66778c8ff7c8ab94afcc590a2ed5325a1d9a076ffff38fbce36f458684",
     "float64 x; float64 y; float64 z; float64 w"},
    {"geometry_msgs/msg/Pose",
     "RIHS01_d501954e9476cea2996984e812054b68026ae0bfae789d9a10b23daf35cc90fa",
     "geometry_msgs/msg/Point position; geometry_msgs/msg/Quaternion orientation"},
    {"geometry_msgs/msg/Twist",
     "RIHS01_9c45bf16fe0983d80e3cfe750d6835843d265a9a6c46bd2e609fcddde6fb8d2a",
     "geometry_msgs/msg/Vector3 linear; geometry_msgs/msg/Vector3 angular"},
    {"geometry_msgs/msg/Transform",
     "RIHS01_beb83fbe698636351461f6f35d1abb20010c43d55374d81bd041f1ba2581fddc",
     "geometry_msgs/msg/Vector3 translation; geometry_msgs/msg/Quaternion rotation"},
    {"geometry_msgs/msg/Vector3Stamped",
     "RIHS01_d4829622288cbb443886e7ea94ea5671a3b1be6bab4ad04224432a65f7d7887a",
     "std_msgs/msg/Header header; geometry_msgs/msg/Vector3 vector"},
    {"geometry_msgs/msg/PointStamped",
     "RIHS01_4c0296af86e01e562e9e0405d138a01537247580076c58ea38d7923ac1045897",
     "std_msgs/msg/Header header; geometry_msgs/msg/Point point"},
    {"geometry_msgs/msg/QuaternionStamped",
     "RIHS01_381add86c6c3160644d228ca342182c7fd6c7fab11c7a85ad817a9cc22dbac6e",
     "std_msgs/msg/Header header; geometry_msgs/msg/Quaternion quaternion"},
    {"geometry_msgs/msg/PoseStamped",
     "RIHS01_10f3786d7d40fd2b54367835614bff85d4ad3b5dab62bf8bca0cc232d73b4cd8",
     "std_msgs/msg/Header header; geometry_msgs/msg/Pose pose"},
    {"geometry_msgs/msg/TwistStamped",
     "RIHS01_5f0fcd4f81d5d06ad9b4c4c63e3ea51b82d6ae4d0558f1d475229b1121db6f64",
     "std_msgs/msg/Header header; geometry_msgs/msg/Twist twist"},
    {"geometry_msgs/msg/TransformStamped",
     "RIHS01_0a241f87d04668d94099cbb5ba11691d5ad32c2f29682e4eb5653424bd275206",
     "std_msgs/msg/Header header; string child_frame_id; geometry_msgs/msg/Transform transform"},
    {"tf2_msgs/msg/TFMessage",
     "RIHS01_e369d0f05a23ae52508854b66f6aa0437f3449d652e8cbf22d5abe85d020f087",
     "geometry_msgs/msg/TransformStamped[] transforms"},
    {"sensor_msgs/msg/Image",
     "RIHS01_d31d41a9a4c4bc8eae9be757b0beed306564f7526c88ea6a4588fb9582527d47",
     "std_msgs/msg/Header header; uint32 height; uint32 width; string encoding; "
     "uint8 is_bigendian; uint32 step; uint8[] data"},
    {"sensor_msgs/msg/CompressedImage",
     "RIHS01_15640771531571185e2efc8a100baf923961a4d15d5569652e6cb6691e8e371a",
     "std_msgs/msg/Header header; string format; uint8[] data"},
    {"sensor_msgs/msg/PointField",
     "RIHS01_5c6a4750728c2bcfbbf7037225b20b02d4429634732146b742dee1726637ef01",
     "string name; uint32 offset; uint8 datatype; uint32 count"},
    {"sensor_msgs/msg/PointCloud2",
     "RIHS01_9198cabf7da3796ae6fe19c4cb3bdd3525492988c70522628af5daa124bae2b5",
     "std_msgs/msg/Header header; uint32 height; uint32 width; "
     "sensor_msgs/msg/PointField[] fields; bool is_bigendian; uint32 point_step; "
     "uint32 row_step; uint8[] data; bool is_dense"},
    {"sensor_msgs/msg/RegionOfInterest",
     "RIHS01_ad16bcba5f9131dcdba6fbded19f726f5440e3c513b4fb586dd3027eeed8abb1",
     "uint32 x_offset; uint32 y_offset; uint32 height; uint32 width; bool do_rectify"},
    {"sensor_msgs/msg/CameraInfo",
     "RIHS01_b3dfd68ff46c9d56c80fd3bd4ed22c7a4ddce8c8348f2f59c299e73118e7e275",
     "std_msgs/msg/Header header; uint32 height; uint32 width; string distortion_model; "
     "float64[] d; float64[9] k; float64[9] r; float64[12] p; uint32 binning_x; "
     "uint32 binning_y; sensor_msgs/msg/RegionOfInterest roi"},
    {"sensor_msgs/msg/Imu",
     "RIHS01_7d9a00ff131080897a5ec7e26e315954b8eae3353c3f995c55faf71574000b5b",
     "std_msgs/msg/Header header; geometry_msgs/msg/Quaternion orientation; "
     "float64[9] orientation_covariance; geometry_msgs/msg/Vector3 angular_velocity; "
     "float64[9] angular_velocity_covariance; geometry_msgs/msg/Vector3 linear_acceleration; "
     "float64[9] linear_acceleration_covariance"},
};
/// Those before are parts of that one, and of no topic.
inline constexpr int kOwnType = 6;

}  // namespace gxr::dds
